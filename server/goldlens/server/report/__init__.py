"""One page of HTML that shows a pair: scores, confusions, figures by group, the worst sentences.

`gathered` says what stands in it, as plain values; `plots` and `trees` draw; `page` writes it
down. It holds all it needs: nothing is fetched when it is opened, and no script runs in it.
"""

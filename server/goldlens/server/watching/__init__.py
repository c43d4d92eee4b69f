"""Files on disk that change behind everybody's back: noticed, and told when it is over."""

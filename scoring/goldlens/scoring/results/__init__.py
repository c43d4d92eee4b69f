"""What is published of scores: rows, comparisons, receipts."""

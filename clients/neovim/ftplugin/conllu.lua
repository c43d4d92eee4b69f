-- Columns are separated by tabs, and a long line is one row.
vim.bo.expandtab = false
vim.bo.commentstring = "# %s"
vim.wo.wrap = false

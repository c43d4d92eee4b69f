-- What Neovim has to know of the server. `vim.lsp.config("goldlens", {…})` overrides any of it.
return {
  cmd = { "goldlens", "lsp" },
  filetypes = { "conllu", "iob2", "jsonl", "tsv" },
  root_markers = { "goldlens.toml", "pyproject.toml", ".git" },
  handlers = {
    ["goldlens/scores"] = function(_, board)
      require("goldlens").told(board)
    end,
  },
}

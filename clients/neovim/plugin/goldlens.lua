-- Kinds of files, commands, and the server itself. `vim.g.goldlens_enabled = false` leaves that out.
vim.filetype.add({
  extension = { conllu = "conllu", iob2 = "iob2", bio = "iob2", jsonl = "jsonl" },
})

local function command(name, options, run)
  vim.api.nvim_create_user_command(name, function(given)
    run(require("goldlens"), given)
  end, options)
end

command("GoldlensRows", {
  nargs = "?",
  complete = function()
    return { "markdown", "latex", "csv", "json", "hf" }
  end,
  desc = "Insert results rows below the cursor",
}, function(goldlens, given)
  goldlens.rows(given.args ~= "" and given.args or "markdown")
end)

command("GoldlensScore", { desc = "Show the score" }, function(goldlens)
  goldlens.show()
end)

command("GoldlensCompare", {
  nargs = 1,
  complete = "file",
  desc = "Compare with another prediction of the same gold",
}, function(goldlens, given)
  goldlens.compare(given.args)
end)

command("GoldlensSetGold", {
  nargs = 1,
  complete = "file",
  desc = "Hold this file against another gold, for now",
}, function(goldlens, given)
  goldlens.set_gold(given.args)
end)

command("GoldlensSeek", {
  nargs = "?",
  complete = function()
    return { "worst", "next", "previous" }
  end,
  desc = "Go to the sentence with most problems, or the next or previous one with any",
}, function(goldlens, given)
  goldlens.seek(given.args ~= "" and given.args or nil)
end)

command("GoldlensReceipt", { desc = "Open a receipt of this evaluation" }, function(goldlens)
  goldlens.receipt()
end)

if vim.g.goldlens_enabled ~= false then
  vim.lsp.enable("goldlens")
end

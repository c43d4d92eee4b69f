// Checks by name, one after another; the first that fails ends the run. And what several look at.
const vscode = require('vscode');

/** Runs them, and says which passed. */
exports.check = async (checks) => {
  for (const [name, run] of Object.entries(checks)) {
    try {
      await run();
      console.log(`IN-HOST passed: ${name}`);
    } catch (error) {
      console.log(`IN-HOST failed: ${name}: ${error.stack}`);
      throw error;
    }
  }
};

/** Waits until something holds. */
exports.until = async (holds, what, milliseconds = 20_000) => {
  const end = Date.now() + milliseconds;
  for (;;) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** What the extension says of itself and its server. */
exports.debugInformation = async () => {
  await vscode.commands.executeCommand('goldlens.ui.copyDebugInformation');
  return vscode.env.clipboard.readText();
};

/** The problems of a document that are ours. */
exports.ownProblems = (uri) =>
  vscode.languages.getDiagnostics(uri).filter((each) => each.source === 'goldlens');

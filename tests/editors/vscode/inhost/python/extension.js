// What the extension Python tells others of environments, as far as ours asks.
const vscode = require('vscode');

exports.activate = (context) => {
  let active = process.env.GOLDLENS_TEST_PYTHON;
  const changes = new vscode.EventEmitter();
  const choose = (path) => {
    active = path;
    changes.fire({ id: path, path });
  };
  context.subscriptions.push(changes, vscode.commands.registerCommand('test.python', choose));
  return {
    environments: {
      getActiveEnvironmentPath: () => ({ id: active, path: active }),
      resolveEnvironment: async ({ path }) => ({ executable: { uri: vscode.Uri.file(path) } }),
      onDidChangeActiveEnvironmentPath: changes.event,
    },
  };
};

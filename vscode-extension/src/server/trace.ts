/** What is said with the server, in a channel of its own, as far as the setting says. */
import * as vscode from 'vscode';

/**
 * The channel as the language client takes it: its level is what goldlens.trace.server says, and
 * not what somebody has chosen in the menu of the channel, which hides what is below “Info”.
 */
export function traceInto(channel: vscode.LogOutputChannel): vscode.LogOutputChannel {
  const levels = new vscode.EventEmitter<vscode.LogLevel>();
  const level = (): vscode.LogLevel => {
    const traced = vscode.workspace.getConfiguration('goldlens').get('trace.server', 'off');
    return traced === 'off' ? vscode.LogLevel.Info : vscode.LogLevel.Trace;
  };
  const listening = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('goldlens.trace')) levels.fire(level());
  });
  return {
    ...channel,
    get logLevel() {
      return level();
    },
    onDidChangeLogLevel: levels.event,
    trace: (message: string, ...more: unknown[]) => channel.info(message, ...more),
    dispose: () => vscode.Disposable.from(listening, levels, channel).dispose(),
  };
}

/** The private environment: a virtual environment of the extension's own, made when asked for. */
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { commandIn, onPath } from './found';
import { serverPath } from './settings';

/** Prints the version if Python is new enough, else fails. */
const CHECK = 'import sys; print(sys.version.split()[0]); sys.exit(sys.version_info < (3, 11))';

/**
 * Asks whether Goldlens may be installed into `folder`, and whether it is to run `instead` of what
 * the setting goldlens.server.path names. Undefined if not.
 */
export async function shouldInstall(
  folder: string,
): Promise<{ readonly instead: boolean } | undefined> {
  const install = 'Install';
  const instead = 'Install and Clear the Setting';
  const named = serverPath().trim();
  const wins = `The setting goldlens.server.path names ${named}, and goes before it: what is installed runs only when the setting is cleared.`;
  const answer = await vscode.window.showInformationMessage(
    'Install Goldlens for this extension?',
    {
      modal: true,
      detail: `${named ? `${wins}\n\n` : ''}A virtual environment is made in ${folder}, and the package “goldlens”, with what reports are drawn with (matplotlib), is installed into it with pip, from the package index that pip is configured for. Your own environments stay as they are.`,
    },
    ...(named ? [instead, install] : [install]),
  );
  return answer ? { instead: answer === instead } : undefined;
}

/**
 * Makes a virtual environment in `folder` and installs Goldlens into it. True if it is there now.
 * What is run is said in `log`.
 */
export async function createEnvironment(
  folder: string,
  python: string | undefined,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  const interpreter = await newEnough([python, 'python3', 'python', 'py'], log);
  if (!interpreter) {
    void vscode.window.showErrorMessage(
      'No Python 3.11 or newer was found. Install one, or name the command goldlens in the setting goldlens.server.path.',
    );
    return false;
  }
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: 'Goldlens',
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, cancelled) => {
    try {
      progress.report({ message: 'making the environment…' });
      await run(interpreter, ['-m', 'venv', '--clear', folder], log, cancelled);
      progress.report({ message: 'installing…' });
      const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', 'goldlens[plot]'];
      await run(commandIn(folder, 'python'), pip, log, cancelled);
      return true;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      if (cancelled.isCancellationRequested) return false;
      log.error(String(error));
      const show = 'Show Logs';
      void vscode.window
        .showErrorMessage(`Goldlens could not be installed: ${(error as Error).message}`, show)
        .then((chosen) => chosen === show && log.show());
      return false;
    }
  });
}

async function newEnough(
  candidates: readonly (string | undefined)[],
  log: vscode.LogOutputChannel,
): Promise<string | undefined> {
  for (const candidate of candidates) {
    const searched = process.env['PATH'] ?? '';
    const found = candidate?.match(/[\\/]/)
      ? candidate
      : candidate && onPath(candidate, { searched });
    if (!found) continue;
    try {
      await run(found, ['-c', CHECK], log);
      return found;
    } catch {
      log.info(`${found} is not Python 3.11 or newer`);
    }
  }
  return undefined;
}

/** Runs a program to its end. Raises if it fails or is cancelled. */
function run(
  command: string,
  args: readonly string[],
  log: vscode.LogOutputChannel,
  cancelled?: vscode.CancellationToken,
): Promise<void> {
  log.info(`${command} ${args.join(' ')}`);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let last = '';
    const listen = (chunk: Buffer): void => {
      for (const line of chunk.toString().split('\n')) {
        if (!line.trim()) continue;
        last = line.trim();
        log.info(last);
      }
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    const stop = cancelled?.onCancellationRequested(() => child.kill());
    child.on('error', reject);
    child.on('close', (code) => {
      stop?.dispose();
      if (code === 0) resolve();
      else reject(new Error(last || `${command} ended with ${code}`));
    });
  });
}

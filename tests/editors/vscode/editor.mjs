// The real VS Code: code-server with the packaged extension, in Chromium.
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { ARTEFACTS, CODE_SERVER, SERVER, VSIX, folder } from './place.mjs';

const QUIET = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.layoutControl.enabled': false,
  'chat.commandCenter.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'telemetry.telemetryLevel': 'off',
  'files.autoSave': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'editor.minimap.enabled': false,
  'window.menuBarVisibility': 'compact',
  'goldlens.server.path': SERVER,
  'goldlens.daemon': 'off',
};

const CHROMIUM = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Starts the editor's server with the extension installed; `close` ends it. */
export async function startServer({ settings = {}, trust = false, env = {} } = {}) {
  const home = folder('vscode');
  mkdirSync(join(home, 'data', 'User'), { recursive: true });
  writeFileSync(join(home, 'config.yaml'), 'auth: none\ncert: false\n');
  const all = { ...QUIET, 'security.workspace.trust.enabled': trust, ...settings };
  writeFileSync(join(home, 'data', 'User', 'settings.json'), JSON.stringify(all));
  const extensions = join(home, 'extensions');
  const places = [
    '--config',
    join(home, 'config.yaml'),
    '--user-data-dir',
    join(home, 'data'),
    '--extensions-dir',
    extensions,
  ];
  const log = openSync(join(ARTEFACTS, 'code-server.log'), 'a');
  const options = {
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      XDG_CACHE_HOME: join(home, 'cache'),
      GOLDLENS_RUNTIME_DIR: join(home, 'run'),
      ...env,
    },
  };
  execFileSync(process.execPath, [CODE_SERVER, ...places, '--install-extension', VSIX], options);
  const extension = join(
    extensions,
    readdirSync(extensions).find((name) => name.startsWith('goldlens.')),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const quiet = [
    '--auth',
    'none',
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
  ];
  const args = [
    CODE_SERVER,
    ...places,
    '--bind-addr',
    address,
    ...quiet,
    ...(trust ? [] : ['--disable-workspace-trust']),
  ];
  const server = spawn(process.execPath, args, { ...options, detached: true });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  const close = async () => {
    try {
      process.kill(-server.pid, 'SIGTERM');
    } catch {
      // It has ended by itself.
    }
    await Promise.race([ended, wait(10_000)]);
  };
  try {
    await until(async () => (await fetch(`http://${address}/healthz`)).ok, 'code-server to answer');
  } catch (error) {
    await close();
    throw error;
  }
  return { address, extension, close };
}

/** A browser with one page; `close` ends it. */
export async function openBrowser() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: CHROMIUM,
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on('console', (message) =>
    appendFileSync(join(ARTEFACTS, 'console.log'), `${message.type()} ${message.text()}\n`),
  );
  return { page, close: () => browser.close() };
}

/** The workbench with a folder open, and what one does in it. */
export async function openWorkbench(workspace, options) {
  const server = await startServer(options);
  let browser;
  try {
    browser = await openBrowser();
    const { page } = browser;
    await page.goto(`http://${server.address}/?folder=${encodeURIComponent(workspace)}`);
    await page.waitForSelector('.monaco-workbench .explorer-folders-view', { timeout: 60_000 });
    return new Workbench(page, async () => {
      await browser.close();
      await server.close();
    });
  } catch (error) {
    await browser?.close();
    await server.close();
    throw error;
  }
}

class Workbench {
  constructor(page, close) {
    this.page = page;
    this.close = close;
    this.statusBar = page.locator('.part.statusbar');
  }

  /** Opens a file by its path in the folder. */
  async open(path) {
    const name = path.split('/').at(-1);
    // Again if the list has gone: it does where something else takes the focus meanwhile.
    await until(async () => {
      await this.page.keyboard.press('Control+P');
      await this.choose(path, name, 5_000);
      return true;
    }, `${path} in the list`);
    await this.page
      .locator('.editor-group-container.active .tab.active', { hasText: name })
      .waitFor();
  }

  /** Opens a list or a question by its key. */
  async quickInput(key) {
    const input = this.page.locator('.quick-input-widget .quick-input-box input');
    // Again if the key came while the focus was on its way elsewhere.
    await until(async () => {
      await this.page.keyboard.press(key);
      await input.waitFor({ timeout: 5_000 });
      return true;
    }, `what ${key} opens`);
    return input;
  }

  /** Runs a command by its title; then chooses entries of the lists it shows, by their texts. */
  async command(title, ...choices) {
    await this.quickInput('F1');
    await this.choose(`>${title}`, new RegExp(`^${title}$`));
    for (const choice of choices) await this.choose(choice, choice);
  }

  /** Types into the list that is open, and takes the entry whose label or description fits. */
  async choose(typed, shown, timeout = 30_000) {
    const widget = this.page.locator('.quick-input-widget');
    const input = widget.locator('.quick-input-box input');
    await input.waitFor({ timeout });
    await input.fill(typed, { timeout });
    const label = widget.locator('.monaco-list-row .quick-input-list-row').filter({
      has: this.page.locator('.label-name, .label-description', { hasText: shown }),
    });
    await label.first().click({ timeout });
  }

  /** What is picked in the list with boxes that is open. */
  async picked() {
    const rows = this.page.locator('.quick-input-list .monaco-list-row');
    await rows.locator('.quick-input-list-checkbox:visible').first().waitFor();
    const all = await rows.evaluateAll((each) =>
      each.map((row) => [
        Number(row.dataset.index),
        row.querySelector('.quick-input-list-checkbox').checked,
        row.querySelector('.label-name').textContent,
      ]),
    );
    return all
      .filter(([, checked]) => checked)
      .sort(([a], [b]) => a - b)
      .map(([, , name]) => name);
  }

  /** Picks entries of the list with boxes, or lets go of them. */
  async pick(...names) {
    const rows = this.page.locator('.quick-input-list .monaco-list-row');
    for (const name of names) {
      const label = this.page.locator('.label-name').getByText(name, { exact: true });
      await rows.filter({ has: label }).locator('.quick-input-list-checkbox').click();
    }
  }

  /** Takes what the question that is open has, or an answer in place of what it has. */
  async accept(answer, has) {
    const input = this.page.locator('.quick-input-widget .quick-input-box input');
    await input.waitFor();
    if (has) await until(async () => has.test(await input.inputValue()), `${has}`);
    if (answer !== undefined) await input.fill(answer);
    await this.page.keyboard.press('Enter');
  }

  /** Opens the window again, whatever is not saved. */
  async reload() {
    const leave = (dialog) => dialog.accept();
    this.page.on('dialog', leave);
    const again = this.page.waitForEvent('framenavigated', (frame) => !frame.parentFrame());
    // And not as a browser reloads: VS Code writes down first what is to be remembered.
    await this.command('Developer: Reload Window');
    await again;
    this.page.off('dialog', leave);
    await this.page.waitForSelector('.monaco-workbench .part.statusbar', { timeout: 60_000 });
  }

  /** The cursor to a line and column, from 1. */
  async goTo(line, column = 1) {
    const input = await this.quickInput('Control+G');
    await input.fill(`:${line}:${column}`);
    const answer = this.page.locator('.quick-input-list .monaco-list-row');
    await answer.filter({ hasText: new RegExp(`\\b${line}\\b`) }).waitFor();
    await this.page.keyboard.press('Enter');
    await input.waitFor({ state: 'hidden' });
  }

  async screenshot(name) {
    await this.page.mouse.move(1000, 12);
    await this.page.screenshot({ path: join(ARTEFACTS, `${name}.png`) });
  }

  /** A screenshot that is shown in pages, too, if a folder for those is named. */
  async picture(name) {
    await this.screenshot(name);
    const folder = process.env.GOLDLENS_PICTURES;
    if (folder) copyFileSync(join(ARTEFACTS, `${name}.png`), join(folder, `${name}.png`));
  }

  /** Makes the panel higher by so many pixels. */
  async raisePanel(pixels) {
    // The panel has no box until it has been laid out.
    const panel = this.page.locator('.part.panel');
    const { x, y, width } = await until(() => panel.boundingBox(), 'no panel');
    await this.page.mouse.move(x + width / 2, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + width / 2, y - pixels, { steps: 5 });
    await this.page.mouse.up();
  }
}

/** Waits until something holds; what raises does not hold yet. */
export async function until(holds, what, milliseconds = 30_000) {
  const end = Date.now() + milliseconds;
  let last;
  for (;;) {
    try {
      const value = await holds();
      if (value) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`, { cause: last });
    await wait(100);
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const listening = createServer();
    listening.on('error', reject);
    listening.listen(0, '127.0.0.1', () => {
      const { port } = listening.address();
      listening.close(() => resolve(port));
    });
  });
}

import fs from 'node:fs'

// The shell draws the same pages without a window's frame: a fifth less processor time.
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => fs.existsSync(file))
const executablePath = process.env['CHROMIUM'] ?? installed ?? '/usr/bin/chromium'
// Playwright downloads nothing. Chromium's own services would look for internet hosts.
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
]

export const chromium = {
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...quiet],
}

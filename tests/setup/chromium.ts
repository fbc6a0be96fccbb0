// Playwright downloads nothing. Chromium's own services would look for internet hosts.
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
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

// Debian's Chromium, since Playwright downloads nothing. Its own services would look for internet hosts.
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
]

/** For every suite. */
export const chromium = {
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...quiet],
}

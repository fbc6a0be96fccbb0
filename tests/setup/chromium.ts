// Debian's Chromium: Playwright downloads nothing. Its own services would look for hosts on the internet.
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
]

/** How every suite starts the browser. */
export const chromium = {
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...quiet],
}

/** What one tab chooses, every other shows. */
import { expect, test } from 'vitest'
import { commands } from 'vitest/browser'
import { open } from '../testing/screen'

const shown = () => getComputedStyle(document.documentElement).colorScheme
const primary = () => getComputedStyle(document.documentElement).getPropertyValue('--primary-brand')

/** Another window of the browser: what it keeps is told to this one. */
function keepElsewhere(key: string, value: string): void {
  const other = document.body.appendChild(document.createElement('iframe'))
  other.contentWindow?.localStorage.setItem(key, value)
}

test('a mode or a colour chosen in another tab is shown here, too, and a mode that follows the system follows it', async () => {
  await open('/notices', {})
  await expect.poll(shown).toBe('light')
  keepElsewhere('theme-mode', 'dark')
  await expect.poll(shown).toBe('dark')
  const before = primary()
  keepElsewhere('theme-preset', 'red')
  await expect.poll(primary).not.toBe(before)
  keepElsewhere('theme-mode', 'auto')
  await expect.poll(shown).toBe('light')
  await commands.preferColours('dark')
  await expect.poll(shown).toBe('dark')
  await commands.preferColours('light')
  keepElsewhere('theme-mode', 'a later version’s')
  await expect.poll(shown).toBe('light')
})

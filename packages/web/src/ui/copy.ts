import * as text from '@vps/shared/text'
import { toast } from './toast'

/** Says so, too. */
export async function copyText(value: string, done: string): Promise<void> {
  try {
    await writeClipboard(value)
    toast(done, 'success')
  } catch {
    toast(text.copyFailed, 'error')
  }
}

async function writeClipboard(value: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(value)
  // Plain HTTP has no clipboard interface.
  const area = document.createElement('textarea')
  area.value = value
  area.setAttribute('readonly', '')
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (!copied) throw new Error('copy refused')
}

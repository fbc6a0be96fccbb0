import { toast } from './toast'

/** Puts text on the clipboard and says so. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await writeClipboard(text)
    toast(done, 'success')
  } catch {
    toast('复制失败', 'error')
  }
}

async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  // A portal served over plain HTTP has no clipboard interface; the old command still works there.
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('readonly', '')
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (!copied) throw new Error('copy refused')
}

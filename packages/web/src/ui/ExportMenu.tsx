import * as text from '@vps/shared/text'
import * as verbs from '@vps/shared/verbs'
import { Download } from 'lucide-react'
import { Button } from './Button'
import { Menu } from './Menu'
import { toast } from './toast'

/** The whole list, under the shown conditions. */
export function ExportMenu({ address, asked = {} }: { address: string; asked?: object }) {
  const conditions = Object.entries(asked).filter(([name]) => name !== 'page' && name !== 'size')
  const query = new URLSearchParams(conditions.map(([name, value]) => [name, String(value)])).toString()
  const file = (ending: string) => `${address}${ending}${query && `?${query}`}`
  return (
    <Menu
      label={verbs.exportRows}
      trigger={<Button icon={<Download size={16} strokeWidth={1.75} aria-hidden />}>{verbs.exportRows}</Button>}
      entries={[
        { id: 'csv', label: 'CSV', onAction: () => void save(file('')) },
        { id: 'xlsx', label: 'Excel', onAction: () => void save(file('.xlsx')) },
      ]}
    />
  )
}

/** Asked first whether it is given: a browser saves a refusal as a file, too. It saves the file itself, as it comes. */
async function save(address: string): Promise<void> {
  const end = new AbortController()
  try {
    const reply = await fetch(address, { signal: end.signal })
    if (!reply.ok) return tell(await sentenceOf(reply))
  } catch {
    return tell(text.networkError)
  } finally {
    end.abort()
  }
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}

const tell = (reason: string) => toast(`${verbs.exportRows}失败：${reason}`, 'error')

async function sentenceOf(reply: Response): Promise<string> {
  const body: unknown = await reply.json().catch(() => null)
  const message: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'message') : null
  return typeof message === 'string' ? message : text.serverError
}

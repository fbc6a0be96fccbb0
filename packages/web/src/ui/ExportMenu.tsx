import * as verbs from '@vps/shared/verbs'
import { Download } from 'lucide-react'
import { Button } from './Button'
import { Menu } from './Menu'

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
        { id: 'csv', label: 'CSV', file: file('') },
        { id: 'xlsx', label: 'Excel', file: file('.xlsx') },
      ]}
    />
  )
}

import * as verbs from '@vps/shared/verbs'
import { Download } from 'lucide-react'
import { DownloadLink } from '../../../ui/Button'

/** A list of the server's `exports`, and what is asked of it. */
export interface Exported {
  list: string
  asked: object
}

/** The whole list as a file, with the conditions that it is shown by. */
export function ExportLink({ list, asked }: Exported) {
  const conditions = Object.entries(asked).filter(([name]) => name !== 'page' && name !== 'size')
  const query = new URLSearchParams(conditions.map(([name, value]) => [name, String(value)])).toString()
  return (
    <DownloadLink
      href={`/api/exports/${list}${query && `?${query}`}`}
      icon={<Download size={16} strokeWidth={1.75} aria-hidden />}
    >
      {verbs.exportRows}
    </DownloadLink>
  )
}

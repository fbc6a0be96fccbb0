import type { LucideIcon } from 'lucide-react'

export interface Entry {
  id: string
  label: string
  note?: string
  /** Found by it, but not shown. */
  by?: string | null
  icon: LucideIcon
  run: () => void
}

export interface Section {
  name: string
  entries: Entry[]
}

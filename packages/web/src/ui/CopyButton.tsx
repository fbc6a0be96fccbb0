import { Copy } from 'lucide-react'
import { IconButton } from './Button'
import { copyText } from './copy'

/** Copies what stands before it. */
export function CopyButton({ text, label, done }: { text: string; label: string; done: string }) {
  return (
    <IconButton size="sm" label={label} onClick={() => void copyText(text, done)}>
      <Copy size={14} strokeWidth={1.75} />
    </IconButton>
  )
}

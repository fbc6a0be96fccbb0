import * as verbs from '@vps/shared/verbs'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { TextArea } from '../../ui/Field'
import { unwritable } from './keys'
import type { RemoteInput } from './remote-input'

const most = 4_000

/** Typed key by key: a machine's screen has no clipboard. */
export function PasteDialog({ title, input, onClose }: { title: string; input: RemoteInput; onClose: () => void }) {
  const [text, setText] = useState('')
  const [typing, setTyping] = useState(false)
  const stop = useRef(new AbortController())
  const strange = unwritable(text)
  useEffect(() => () => stop.current.abort(), [])

  async function send() {
    setTyping(true)
    await input.type(text, { signal: stop.current.signal })
    onClose()
    input.focus()
  }

  return (
    <Dialog
      title={title}
      open
      sticky
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{verbs.cancel}</Button>
          <Button
            tone="primary"
            busy={typing}
            busyLabel="正在输入"
            disabled={text === '' || strange.length > 0}
            onClick={() => void send()}
          >
            输入到服务器
          </Button>
        </>
      }
    >
      <TextArea
        label="要输入的文本"
        rows={6}
        maxLength={most}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={strange.length > 0 ? `键盘上没有这些字符：${strange.slice(0, 8).join(' ')}` : undefined}
        help="逐个按键输入，服务器的键盘布局应为美式（US）。"
      />
    </Dialog>
  )
}

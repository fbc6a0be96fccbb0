import * as verbs from '@vps/shared/verbs'
import { useEffect, useRef, useState } from 'react'
import { Alert } from '../../ui/Alert'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { TextArea } from '../../ui/Field'
import { unwritable } from './keys'
import type { RemoteInput } from './remote-input'

const most = 4_000

interface Props {
  title: string
  /** Null while nothing can be typed. */
  input: RemoteInput | null
  onClose: () => void
}

/** Typed key by key: a machine's screen has no clipboard. The text outlives a line that breaks. */
export function PasteDialog({ title, input, onClose }: Props) {
  const [text, setText] = useState('')
  const [typing, setTyping] = useState(false)
  const [isCut, setCut] = useState(false)
  const stop = useRef(new AbortController())
  const strange = unwritable(text)
  const isOff = input === null
  // Also as the line breaks.
  useEffect(() => () => stop.current.abort(), [isOff])

  async function send() {
    if (!input) return
    const { signal } = (stop.current = new AbortController())
    setTyping(true)
    setCut(false)
    await input.type(text, { signal })
    setTyping(false)
    if (signal.aborted) return setCut(true)
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
            disabled={isOff || text === '' || strange.length > 0}
            onClick={() => void send()}
          >
            输入到服务器
          </Button>
        </>
      }
    >
      {(isOff || isCut) && (
        <Alert tone="warning">
          {isOff && '连接已断开，恢复后可以输入，文本会保留。'}
          {isCut && '输入中断，服务器可能只收到一部分，请核对后再输入。'}
        </Alert>
      )}
      <TextArea
        label="要输入的文本"
        rows={6}
        maxLength={most}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={strange.length > 0 ? `键盘上没有这些字符：${strange.slice(0, 8).join(' ')}` : undefined}
        help="逐个按键输入，服务器的键盘布局应为美式（US）。"
      />
    </Dialog>
  )
}

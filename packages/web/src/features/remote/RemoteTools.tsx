import type { RemoteKind } from '@vps/shared/remote'
import { ClipboardPaste, Keyboard, Maximize, Minimize, Scaling } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { IconButton } from '../../ui/Button'
import { Menu } from '../../ui/Menu'
import { chords } from './keys'
import { PasteDialog } from './PasteDialog'
import type { RemoteInput } from './remote-input'

const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

/** What the browser's own keys and mouse cannot do. */
export function RemoteTools({
  kind,
  input,
  fit,
  onFit,
}: {
  kind: RemoteKind
  input: RemoteInput | null
  fit: boolean
  onFit: (fit: boolean) => void
}) {
  const [pasting, setPasting] = useState(false)
  const whole = useSyncExternalStore(watchFullScreen, () => document.fullscreenElement !== null)
  return (
    <>
      {kind === 'screen' && (
        <IconButton label={fit ? '原始大小' : '适应窗口'} onClick={() => onFit(!fit)}>
          <Scaling {...icon} />
        </IconButton>
      )}
      {input ? (
        <Menu
          label={sendLabel}
          trigger={
            <IconButton label={sendLabel}>
              <Keyboard {...icon} />
            </IconButton>
          }
          entries={chords
            .filter(({ keys }) => input.understands(keys))
            .map(({ id, label, keys }) => ({ id, label, onAction: () => input.press(keys) }))}
        />
      ) : (
        <IconButton label={sendLabel} disabled>
          <Keyboard {...icon} />
        </IconButton>
      )}
      <IconButton label={pasteLabel} disabled={!input} onClick={() => setPasting(true)}>
        <ClipboardPaste {...icon} />
      </IconButton>
      {document.fullscreenEnabled && (
        <IconButton label={whole ? '退出全屏' : '全屏'} onClick={() => void toggleFullScreen()}>
          {whole ? <Minimize {...icon} /> : <Maximize {...icon} />}
        </IconButton>
      )}
      {pasting && <PasteDialog title={pasteLabel} input={input} onClose={() => setPasting(false)} />}
    </>
  )
}

const sendLabel = '发送按键'
const pasteLabel = '粘贴文本'

function watchFullScreen(changed: () => void) {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

/** The whole document, as menus and dialogs stand beside the page. */
async function toggleFullScreen(): Promise<void> {
  if (document.fullscreenElement) return document.exitFullscreen()
  await document.documentElement.requestFullscreen()
  // Where the browser can, Esc and Alt + Tab go to the machine, too.
  await navigator.keyboard?.lock().catch(() => undefined)
}

import { bringDialogs } from '../ui/Dialog'
import { bringMenus } from '../ui/Menu'
import { bringTips } from '../ui/Tip'
import { loadPart } from './load-part'

/**
 * What dialogs, menus and tooltips stand on is a quarter of a console's script, and nothing of it shows before somebody
 * presses: it comes with the first sign of a hand, before that has pressed anything.
 */
function loadOverlays(): void {
  for (const sign of signs) removeEventListener(sign, loadOverlays)
  void loadPart(() => Promise.all([bringDialogs(), bringMenus(), bringTips()]))
}

const signs = ['pointermove', 'pointerdown', 'keydown'] as const
for (const sign of signs) addEventListener(sign, loadOverlays, { passive: true })

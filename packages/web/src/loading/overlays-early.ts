import { bringDialogs } from '../ui/Dialog'
import { bringMenus } from '../ui/Menu'
import { bringTips } from '../ui/Tip'
import { withFirstHand } from './first-hand'

// These are a quarter of a console's script.
withFirstHand(() => Promise.all([bringDialogs(), bringMenus(), bringTips()]))

import * as verbs from '@vps/shared/verbs'
import { Power, PowerOff, RotateCw, Unplug } from 'lucide-react'
import type { PowerAction } from '../../servers/act-reason'

export const powerButtons: { action: PowerAction; label: string; icon: typeof Power }[] = [
  { action: 'start', label: verbs.start, icon: Power },
  { action: 'restart', label: verbs.restart, icon: RotateCw },
  { action: 'stop', label: verbs.stop, icon: PowerOff },
  { action: 'forceStop', label: verbs.forceStop, icon: Unplug },
]

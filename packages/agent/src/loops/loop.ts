import type { Api } from '../api.js'
import type { Identity } from '../identity.js'
import type { TurnDeps } from '../turn.js'

export type LoopDeps = TurnDeps & { api: Api; identity: Identity }

import type { Api } from '../api.js'
import type { Identity } from '../identity.js'
import type { TurnDeps } from '../turn.js'

/** What every loop is given. */
export type LoopDeps = TurnDeps & { api: Api; identity: Identity }

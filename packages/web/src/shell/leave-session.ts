import { metBefore } from '../api/session'

/** Its owner signs out: what the server refuses from now on, in any tab, is no loss. */
export const leaveSession = (): void => localStorage.setItem(metBefore, 'left')

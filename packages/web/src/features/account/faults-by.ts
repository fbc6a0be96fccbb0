import { loadPart } from '../../loading/load-part'
import type { Faults } from '../../forms/contract-faults'

export type Contract =
  | 'signInInput'
  | 'registerInput'
  | 'forgotPasswordInput'
  | 'resetPasswordInput'
  | 'updateProfileInput'
  | 'addSshKeyInput'

/**
 * What a contract refuses of a form, in the form's order. It is loaded with the first check: the page shows before it
 * is there.
 */
export async function faultsBy(contract: Contract, values: object): Promise<Faults> {
  // Each by itself: one that fails after the other has failed is no sign of an old tab either.
  const [contracts, rules] = await Promise.all([
    loadPart(() => import('@vps/shared/accounts.contract')),
    loadPart(() => import('../../forms/contract-faults')),
  ])
  // Where one does not come, the server checks the same, and says whether there is a network.
  return contracts && rules ? rules.contractFaults(contracts[contract], values) : {}
}

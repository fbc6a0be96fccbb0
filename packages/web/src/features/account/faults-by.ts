import { loadPart } from '../../loading/load-part'
import type { Faults } from '../../forms/contract-faults'

export type Contract =
  | 'signInInput'
  | 'registerInput'
  | 'forgotPasswordInput'
  | 'resetPasswordInput'
  | 'updateProfileInput'
  | 'addSshKeyInput'

const loadRules = () => Promise.all([import('@vps/shared/accounts.contract'), import('../../forms/contract-faults')])

/**
 * What a contract refuses of a form, in the form's order. It is loaded with the first check: the page shows before it
 * is there.
 */
export async function faultsBy(contract: Contract, values: object): Promise<Faults> {
  const rules = await loadPart(loadRules)
  // Where it does not come, the server checks the same, and says whether there is a network.
  if (!rules) return {}
  const [contracts, { contractFaults }] = rules
  return contractFaults(contracts[contract], values)
}

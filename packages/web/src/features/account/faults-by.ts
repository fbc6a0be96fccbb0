import { loadPart } from '../../api/load-part'
import { contractFaults, type Faults } from '../../forms/contract-faults'

export type Contract =
  | 'signInInput'
  | 'registerInput'
  | 'forgotPasswordInput'
  | 'resetPasswordInput'
  | 'updateProfileInput'
  | 'addSshKeyInput'

/** What a contract refuses of a form, in the form's order. It is loaded with the first check: the page shows before it is there. */
export async function faultsBy(contract: Contract, values: object): Promise<Faults> {
  const contracts = await loadPart(() => import('@vps/shared/accounts'))
  // Where it does not come, the server checks the same, and says whether there is a network.
  return contracts ? contractFaults(contracts[contract], values) : {}
}

import { loadPart } from '../../loading/load-part'
import type { Faults } from '../../forms/contract-faults'

export type Contract =
  | 'signInInput'
  | 'registerInput'
  | 'forgotPasswordInput'
  | 'resetPasswordInput'
  | 'updateProfileInput'
  | 'addSshKeyInput'
  | 'currentPasswordInput'
  | 'secondCodeInput'
  | 'secondFactorInput'

/** Loaded with the first check. */
export async function faultsBy(contract: Contract, values: object): Promise<Faults> {
  // Each by itself: one that fails after the other did is no sign of an old tab either.
  const [contracts, rules] = await Promise.all([
    loadPart(() => import('@vps/shared/accounts.contract')),
    loadPart(() => import('../../forms/contract-faults')),
  ])
  // Without them the server checks the same.
  return contracts && rules ? rules.contractFaults(contracts[contract], values) : {}
}

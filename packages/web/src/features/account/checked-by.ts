import * as text from '@vps/shared/text'
import type { FieldValues, Resolver } from 'react-hook-form'
import type { Faults } from '../../forms/contract-faults'
import { resolverOf } from '../../forms/resolver-of'
import { faultsBy, type Contract } from './faults-by'

/** `password` names the field that `confirmPassword` must equal. */
export function checkedBy<V extends FieldValues>(contract: Contract, password?: string): Resolver<V> {
  return resolverOf(async (values) => {
    const faults = await faultsBy(contract, values)
    return password === undefined ? faults : confirmed(faults, values, password)
  })
}

/** Empty only where the password may be. */
function confirmed(faults: Faults, values: FieldValues, password: string): Faults {
  const [given, again] = [values[password] ?? '', values['confirmPassword'] ?? '']
  if (given === again && (given !== '' || !(password in faults))) return faults
  return { ...faults, confirmPassword: again === '' ? text.required : text.confirmMismatch }
}

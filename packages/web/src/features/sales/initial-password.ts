/** The rules of a machine's password come with the contracts, so the page shows before they are loaded. */
import { generatePassword, machinePasswordFault } from '@vps/shared/password'
import { randomBelow } from '../../api/random'

/** What is wrong with it, or null; an empty one is made by the server. */
export const initialPasswordFault = (password: string): string | null =>
  password === '' ? null : machinePasswordFault(password)

export const makePassword = () => generatePassword(randomBelow)

/** Printed as it is, exit code 1, no stack trace. */
export class Refusal extends Error {
  override name = 'Refusal'
}

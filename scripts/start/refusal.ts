/** Printed alone, exit code 1, no stack trace. */
export class Refusal extends Error {
  override name = 'Refusal'
}

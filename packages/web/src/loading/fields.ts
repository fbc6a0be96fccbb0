/** By the field's label; never a password. */
export type Typed = Record<string, string>

/** What somebody may have typed into. `type=text` has a password that is shown, a place among tab stops keys for a machine. */
export const fields = () =>
  [
    ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input:not([type]), input[type=email], textarea:not([tabindex])',
    ),
  ]
    .map((field) => ({ field, label: field.labels?.[0]?.textContent ?? field.ariaLabel ?? field.name }))
    .filter(({ label }) => label !== '')

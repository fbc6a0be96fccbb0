/** By the field's label; never a password. */
export type Typed = Record<string, string>

/** What somebody may have typed into. */
export const fields = () =>
  [
    ...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input:not([type]), input[type=text], input[type=email], textarea',
    ),
  ]
    .map((field) => ({ field, label: field.labels?.[0]?.textContent ?? field.ariaLabel ?? field.name }))
    .filter(({ label }) => label !== '')

/**
 * The list of a choice, drawn by the browser in the page (`base-select`), has the focus on its options: Escape closes it, and
 * is told to the page besides, where a dialog around it would go with all that was typed.
 */
addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Escape' && event.target instanceof HTMLOptionElement) event.stopImmediatePropagation()
  },
  true,
)

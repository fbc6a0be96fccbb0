/**
 * Safari ends a composition before it tells of the key that ended it: Enter, which took a word, would open what is found by
 * it so far, and Escape, which gave one up, close a dialog with all that was typed.
 */
const byInputMethod = 229

addEventListener(
  'keydown',
  (event) => {
    const ends = event.key === 'Enter' || event.key === 'Escape'
    if (ends && event.keyCode === byInputMethod) event.stopImmediatePropagation()
  },
  true,
)

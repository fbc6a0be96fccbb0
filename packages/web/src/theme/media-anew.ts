/**
 * Chromium at times keeps old answers of media queries when a window changes its width while rules are written into a
 * sheet. A rule written once the window rests has them asked anew (decision 0118).
 */
const restMs = 100
let rest: ReturnType<typeof setTimeout> | undefined

addEventListener('resize', () => {
  clearTimeout(rest)
  rest = setTimeout(askAnew, restMs)
})

function askAnew(): void {
  for (const { sheet } of document.querySelectorAll<HTMLStyleElement>('style[data-styled]'))
    sheet?.deleteRule(sheet.insertRule('@media not all {}', sheet.cssRules.length))
}

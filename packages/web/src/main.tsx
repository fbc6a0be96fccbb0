import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './theme/media-anew'
import { renewOldTabs } from './loading/load-part'
import { App } from './app'
import { loadPage } from './routes'

// Keeps zod from asking whether it may make code of text.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
renewOldTabs()

const root = document.getElementById('root')
if (!root) throw new Error('the page has no place for the app')
// Drawn in slices, between which the browser answers.
const draw = () =>
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )

// What came in the HTML stays until the page can be drawn; in its own task, as the page's code has just run.
void loadPage(location.pathname).finally(() => setTimeout(draw))

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { renewOldTabs } from './loading/load-part'
import { App } from './app'

renewOldTabs()

const root = document.getElementById('root')
if (!root) throw new Error('the page has no place for the app')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

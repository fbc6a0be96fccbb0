import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { renewOldTabs } from './loading/load-part'
import { App } from './app'

renewOldTabs()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

import * as verbs from '@vps/shared/verbs'
import { useEffect, useState, type ReactElement } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { Confirm } from './Confirm'
import { askBeforeLeaving } from './lead-to'

/** While something is unsaved, whatever leads away asks first, also the browser on closing the page. */
export function useUnsaved(unsaved: boolean): ReactElement | null {
  const [wanted, setWanted] = useState<{ go: () => void } | null>(null)

  useEffect(() => {
    if (!unsaved) return undefined
    const here = location.pathname + location.search
    const want = (href: string) => setWanted({ go: () => navigate(href) })
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0
      if (!(link instanceof HTMLAnchorElement) || elsewhere || link.target || link.origin !== location.origin) return
      // Links within the page lead nowhere else.
      if (link.pathname + link.search === here) return
      event.preventDefault()
      event.stopPropagation()
      want(link.pathname + link.search)
    }
    let mayGo = false
    const wantBy = (go: () => void) => {
      const goOn = () => {
        mayGo = true
        go()
      }
      setWanted({ go: goOn })
    }
    // Where the browser tells of it; it can be held back once for each act of the user.
    const onTraverse = (event: NavigateEvent) => {
      const { url, key, sameDocument } = event.destination
      const leads = event.navigationType === 'traverse' && sameDocument && url !== location.href
      if (!leads || mayGo || !event.cancelable) return
      event.preventDefault()
      wantBy(() => navigation.traverseTo(key))
    }
    // Others only say that it has happened: it is undone before the router hears of it.
    const onPop = (event: PopStateEvent) => {
      if ('navigation' in window || mayGo || location.pathname + location.search === here) return
      event.stopImmediatePropagation()
      navigate(here)
      wantBy(() => history.back())
    }
    const unasked = askBeforeLeaving((href) => (href === here ? navigate(href) : want(href)), onPop)
    if ('navigation' in window) navigation.addEventListener('navigate', onTraverse)
    window.addEventListener('beforeunload', onLeave)
    document.addEventListener('click', onClick, true)
    return () => {
      unasked()
      if ('navigation' in window) navigation.removeEventListener('navigate', onTraverse)
      window.removeEventListener('beforeunload', onLeave)
      document.removeEventListener('click', onClick, true)
    }
  }, [unsaved])

  if (wanted === null) return null
  return (
    <Confirm
      open
      danger
      title="有未保存的修改"
      confirmLabel={verbs.leaveUnsaved}
      onClose={() => setWanted(null)}
      onConfirm={() => {
        wanted.go()
        return Promise.resolve()
      }}
    >
      <p>离开后，未保存的内容会丢失。</p>
    </Confirm>
  )
}

import { useEffect } from 'react'
import { productName } from '@vps/shared/brand'
import { nameMain } from './focus-main'

/** The tab's title. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${productName}` : productName
    nameMain(title)
  }, [title])
}

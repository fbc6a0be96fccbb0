import { useEffect } from 'react'
import { productName } from '@vps/shared/brand'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${productName}` : productName
  }, [title])
}

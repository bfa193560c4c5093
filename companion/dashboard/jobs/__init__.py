"""Work that takes longer than a request: photos becoming games, photos read again, photos not kept yet."""

"""Job to run: pycurl (`curl`), the real tools (`native`), and a scripted one for tests (`fake`). The registry knows them by name."""

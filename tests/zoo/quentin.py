# expect: *=MALFORMED
# about: A web page saved under the notebook's name.
# notebook: text

# %% file
# <!DOCTYPE html>
# <html><title>Sign in - JupyterHub</title><body>Your session has expired.</body></html>
